-- Plugin job_submit of Slurm: a job without a time limit gets that of forerun, if its comment is a question.
--     sbatch --comment="forerun cholesky machine=hopper variant=2d n=65536 processes=64 threads=6" job.sh
-- Put this file beside slurm.conf, which needs JobSubmitPlugins=lua.  A site that has its own job_submit.lua takes over
-- forerun_time_limit.  The daemon is FORERUN_URL in the environment of slurmctld.

local client = os.getenv("FORERUN_CLIENT") or "/usr/local/bin/forerun"
-- slurmctld accepts no other job while it waits; after silence it does not ask for a minute.
local TIMEOUT_S, PAUSE_S = math.floor(tonumber(os.getenv("FORERUN_TIMEOUT_S")) or 2), 60
local NO_ANSWER = 69
local LONGEST_COMMENT = 2000
local silent_until = 0

-- The model and the pairs of a comment, quoted for a shell; nil if it is no question.  An option of the client, which could
-- name another daemon or a file of slurmctld's user, is no word of a question.
local function question(comment)
    local words = {}

    if #comment > LONGEST_COMMENT or not comment:match("^forerun%s+[a-z0-9_]+%s") then
        return nil
    end
    for word in comment:gsub("^forerun%s+", "", 1):gmatch("%S+") do
        if #words > 0 and not word:match("^[%w_.]+=") then
            return nil
        end
        if not word:match("^step=") then -- which is for the epilog
            words[#words + 1] = "'" .. word:gsub("'", "'\\''") .. "'"
        end
    end
    return table.concat(words, " ")
end

-- The minutes of an answer HH:MM:SS; nil, the client's status and its messages if there is none.
local function ask(words)
    local command = string.format("%s --timeout=%d wall-time %s 2>&1 </dev/null; echo status $?", client, TIMEOUT_S, words)
    local pipe = io.popen(command)
    local minutes, status, messages = nil, nil, {}

    if not pipe then
        return nil, NO_ANSWER, { "the client cannot be started" }
    end
    for line in pipe:lines() do
        local hours, rest, seconds = line:match("^(%d+):(%d%d):(%d%d)$")

        if hours then
            minutes = math.floor(tonumber(hours) * 60 + tonumber(rest) + (tonumber(seconds) > 0 and 1 or 0))
        elseif line:match("^status %d+$") then
            status = tonumber(line:match("%d+"))
        else
            messages[#messages + 1] = line
        end
    end
    pipe:close()
    return minutes, status, messages
end

function forerun_time_limit(job_desc)
    local words = job_desc.time_limit == slurm.NO_VAL and job_desc.comment and question(job_desc.comment)
    local minutes, status, messages

    if not words or os.time() < silent_until then
        return
    end
    minutes, status, messages = ask(words)
    for _, message in ipairs(messages) do
        slurm.log_user("%s", message)
    end
    if minutes then
        job_desc.time_limit = minutes
        slurm.log_user("forerun: the time limit is %d minutes", minutes)
    else
        slurm.log_user("forerun: there is no answer; the job has the default time limit of its partition")
    end
    if status == NO_ANSWER then
        silent_until = os.time() + PAUSE_S
        slurm.log_info("job_submit: no answer from forerun; not asked for %d s", PAUSE_S)
    end
end

function slurm_job_submit(job_desc, part_list, submit_uid)
    forerun_time_limit(job_desc)
    return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
    return slurm.SUCCESS
end

return slurm.SUCCESS
