import { type ChangeVerdict, FINDING_CODES, type Finding } from '../types.ts'
import { plain } from './words.ts'

const LEVELS = { critical: 'error', warning: 'warning', info: 'note' } as const satisfies Record<
  Finding['severity'],
  string
>

/** Returns the custody findings as SARIF 2.1.0, one rule per code, with fingerprints that don't change when lines move. */
export function sarif({ custody, verifier, head }: ChangeVerdict): object {
  const codes = [...new Set(custody.map(({ code }) => code))]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Pulseward',
            semanticVersion: verifier.version,
            rules: codes.map((code) => ({ id: code, shortDescription: { text: FINDING_CODES[code] } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        versionControlProvenance: [{ repositoryUri: 'file:///', revisionId: head.commit }],
        results: custody.map(({ code, severity, path, line, message, fingerprint }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          level: LEVELS[severity],
          message: { text: plain(message) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(path), uriBaseId: '%SRCROOT%' },
                region: { startLine: line ?? 1 },
              },
            },
          ],
          partialFingerprints: { 'pulseward/v1': fingerprint },
        })),
      },
    ],
  }
}

function uriOf(path: string): string {
  return plain(path).split('/').map(encodeURIComponent).join('/')
}
