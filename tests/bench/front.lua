-- Each request of wrk asks for another prediction, of SIZES in turn.
local sizes, calibration, n = tonumber(os.getenv("SIZES")), os.getenv("CALIBRATION"), 0

function request()
    n = n % sizes + 1
    return wrk.format("GET", "/api/v1/predict/matmul?calibration=" .. calibration .. "&processes=1024&threads=6&algorithm=cannon&variant=2d&n=" .. 1024 * n)
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format("figures %d %d %.3f %d", summary.requests, summary.duration, latency:percentile(99) / 1000,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
