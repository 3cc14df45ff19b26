/* The token of this tab, for uploads, and for reading where the daemon asks for one.  It is never in the address. */
const KEY = "forerun-token", READING = "forerun-token-for-reading";

export const token = {
    get value() {
        return (sessionStorage.getItem(KEY) ?? "").trim();
    },
    set value(text) {
        sessionStorage.setItem(KEY, text.trim());
    },
    /** Whether the daemon has refused to read without it. */
    get isForReading() {
        return sessionStorage.getItem(READING) !== null;
    },
    demand() {
        sessionStorage.setItem(READING, "true");
    },
    /** The headers of a request that reads. */
    get headers() {
        return this.isForReading && this.value ? { Authorization: `Bearer ${this.value}` } : {};
    },
};
