/*
 * A line that names a failure may report the failure itself, or work on it: "Rate limit exceeded is retried now." Programs that
 * fail say what failed and what you can do, not what was done about it. So a line about work doesn't count as a failure.
 */

/** What developers do about failures. */
const DONE =
  'retried|handled|caught|shown|displayed|mapped|covered|tested|added|fixed|ignored|swallowed|simulated|mocked|stubbed|documented|renamed|translated|wrapped|propagated|surfaced|implemented|refactored|written|dealt with|taken care of|worked around|solved|resolved|gone|done'

const OF_WORK: readonly RegExp[] = [
  // "… is retried", "… are now handled": the failure is the object of the work.
  new RegExp(String.raw`\b(?:is|are|gets?|was|were|be(?:ing|en)?) (?:\w+ ){0,2}(?:${DONE})\b(?! \d)`, 'i'),
  // "quota exceeded, retried", "page added": the same without the verb. But a program may ask to add a card, and may count its tries.
  /(?<!\b(?:payment method|credits?|card|billing|after being|request|requests?,)\s)\b(?:retried|handled|shown|covered|implemented|documented|fixed|added)\b(?! (?:\d|\w+ times|once|twice|but|without))/i,
  // "Rate limit reached: waiting list built".
  /(?<!\b(?:not|be|been|was|were|is|are|n[’']t)\s)\b(?:built|created|finished|landed|merged|improved|updated|drafted|wired|rewritten)[.!]?$/i,
  // "refresh it (done)".
  /\(done\)|[:;,–-] done\b[.!]?$/i,
  // "I stopped the server", "we now have": a program reporting its failure doesn't say "I".
  /\bI(?:['’]ve| have| had)? (?:[a-z]+ed|wrote|made|did|put|built|ran|found|saw)\b/,
  // "retries ECONNRESET failures", "handles 429 by waiting": what the code now does.
  /^\W*(?:handles?|retries|retry|adds?|fixes|shows?|maps?|catches|covers|treats?|detects?|throws?|raises?|ignores?|renders?|simulates?|mocks?|tests that)\b(?! (?:in|after|again|at|limit|budget|attempts?|attempt|count|later|exhausted|exceeded|failed|left|your|the (?:request|command|operation))\b| ?[\d:(])/i,
  // "… renews itself now": at the end of a sentence, unless it is advice ("upgrade now").
  /\b(?:itself|themselves)\b|\b(?:handling|handler|banner|support)\b(?: \w+){0,6} now\b|\b(?:renews|retries|shows|says|handles|waits|returns) (?:\w+ ){0,3}now\b/i,
  // "fix: retry when the rate limit is exceeded": a commit subject.
  /^\W*(?:feat|fix|chore|docs|refactor|perf|tests?)(?:\([^)]{1,40}\))?!?: /i,
  /^\W*(?:error|failure|retry|rate[- ]limit) handling\b/i,
  // Output of test runners.
  /^\W*(?:FAIL|FAILED|PASS|PASSED|not ok|ok \d+|--- (?:FAIL|PASS):|AssertionError\b|(?:\w+\.)*AssertionError\b)/,
  /^\W*(?:expected|assert)\b|\b(?:tests?|specs?) (?:failed|fails|fixed|pass(?:es|ed)?)\b|\bfail(?:ed|ing) tests?\b/i,
  /\bwhen (?:an?|the) (?:\w+ ){0,2}(?:is|are|gets) (?:thrown|raised|returned|hit|exceeded)\b/i,
]

/** Returns whether a line is about work on a failure, not a failure of the program. Pure. */
export function tellsOfWork(line: string): boolean {
  return OF_WORK.some((pattern) => pattern.test(line))
}
