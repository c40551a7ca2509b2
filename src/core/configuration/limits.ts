/** Default timeout of a gate, or of a probe that reads a report, because it runs tests. */
export const TEST_SECONDS = 600
/** Default timeout of every other check. */
export const CHECK_SECONDS = 30
