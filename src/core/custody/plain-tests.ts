/** Names of files that contain tests and nothing that runs around other tests. */
const TEST =
  /(?:^|\/)(?:test_[^/]*|[^/]*[._-](?:test|tests|spec|cy|e2e)|[^/]*(?:Test|Tests|Spec|IT))\.(?:[cm]?[jt]sx?|py|go|java|kts?|groovy|scala|cs|fs|rb|php|swift|exs|dart|c|cc|cpp)$|\.(?:t|bats|phpt)$/
/** What tests compare with. */
const DATA =
  /(?:^|\/)(?:__snapshots__|fixtures|__fixtures__|testdata|goldens?|cassettes)\/(?:.*\/)?[^/]+\.(?!(?:[cm]?[jt]sx?|py|rb|php|go|sh|toml|ini|cfg)$)\w+$/

/** Returns whether a file at this path only contains tests, or data for them. Pure. */
export function isPlainTest(path: string): boolean {
  return TEST.test(path) || DATA.test(path)
}
