/** How long a gate, or a probe that reads a report, may take where nothing is said: it runs tests. */
export const TEST_SECONDS = 600
/** The same for every other check. */
export const CHECK_SECONDS = 30
