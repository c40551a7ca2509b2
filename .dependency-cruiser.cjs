const { readdirSync } = require('node:fs')

/**
 * The arrows of the house: renderer, cli → api → core; main → api, core; nothing imports main but its entry points.
 * Each rule says why it stands, because the one who breaks it will read the comment here first.
 */
const partsOfMain = [
  'supervisor',
  'agents',
  'verifier',
  'snapshot',
  'ledger',
  'config',
  'api',
  'process',
  'files',
  'telemetry',
  'attestation',
  'mcp',
  'sandbox',
  'custody',
  'authority',
  'channels',
  'update',
  'backup',
  'service',
  'landing',
]
/** Inside core, each folder may import only those to its right and itself. */
const coreOrder = [
  'fleet',
  'channels',
  'attestation',
  'session',
  'change',
  'read-model',
  'judgement',
  'landing',
  'record',
  'prompt',
  'pacing',
  'intervention',
  'scoring',
  'custody',
  'configuration',
  'verification',
  'claims',
  'agents',
  'activity',
  'cycle',
  'exchange',
  'contract',
  'update',
  'reports',
  'text',
  'vocabulary',
]

/** Parts of main that have to do with folders where agents write. */
const amongAgentsFiles = 'config|custody|snapshot|supervisor|verifier|procedures|host'
/** What in them opens files all the same, and whose. */
const opensFilesItself = [
  // Pulseward's own, in its data folder.
  'config/(registry|trust)',
  'custody/(base-files|keep-file|text-store|undo-document)',
  'supervisor/(run/(attempt-files|keep-used|run-attempt)|loop/prune-logs)',
  'procedures/attempts',
  'host/(crash-reports|daily-report|latest-mistakes|log|notify-troubles)',
  // Contents by their hash, in the data folder; what stands in a workspace is opened beneath it.
  'custody/content-store',
  // Folders of our own in the place for temporary files.
  'custody/(clean-room|copy-tree)',
  'snapshot/(copy-index|git-room|own-repository|scratch-repository|tree-of-work)',
  'verifier/reports/report-folder',
  // The system's and the operator's: programs on PATH, settings outside of every workspace, power.
  'custody/(check-reach|outside-custody|programs-on-path)',
  'host/system-power',
  // The sample that comes with Pulseward, into a new folder.
  'config/sample',
  // Changes of a folder are watched, nothing is opened.
  'config/watch-workspace',
  // Contents come to nothing but a digest: of files, and of git's own data wherever `.git` says that they lie.
  'snapshot/(content|git-folder)',
]

// A folder without a place would be bound by no rule.
const unplaced = readdirSync(`${__dirname}/src/core`).filter(
  (folder) => folder !== 'testing' && !coreOrder.includes(folder),
)
if (unplaced.length > 0)
  throw new Error(`Give src/core/${unplaced.join(', src/core/')} a place in coreOrder.`)

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle means that a third concept is missing: name it, and let both import it.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      comment:
        'core holds the rules and runs in the renderer too: no Node, no Electron, no other part of the app.',
      from: { path: '^src/core/', pathNot: '(\\.test\\.ts$|/testing/)' },
      to: {
        pathNot: [
          '^src/core/',
          '^node_modules/(zod|@lezer|@marcbachmann/cel-js|luxon|@types/luxon|leven|diff|picomatch|@types/picomatch|shlex|toml-eslint-parser)/',
        ],
      },
    },
    ...coreOrder.slice(1).map((folder, index) => ({
      name: `core-order-${folder}`,
      severity: 'error',
      comment: `core/${folder} is below core/{${coreOrder.slice(0, index + 1).join(',')}}: move what both need into the lower one.`,
      from: { path: `^src/core/${folder}/` },
      to: { path: `^src/core/(${coreOrder.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'api-knows-core-only',
      severity: 'error',
      comment: 'The API is a contract: if it imported an implementation, every client would depend on it.',
      from: { path: '^src/api/' },
      to: { path: '^src/(main|cli|renderer|preload)/' },
    },
    {
      name: 'clients-go-through-the-api',
      severity: 'error',
      comment:
        'renderer and cli ask the host through the API, never by importing it. The exceptions are where the cli wires an own host and looks at files of this machine without one; its commands get these through machine.ts.',
      from: {
        path: '^src/(renderer|cli)/',
        pathNot: [
          '^src/cli/(index|status-at-once|thin-hook|own-host|machine|inspect-data|control-service|keep-backups|keep-changes|keep-hooks|try-hook|try-program|keep-hub|keep-attestations)\\.ts$',
          '\\.test\\.tsx?$',
          '^src/cli/testing/',
        ],
      },
      to: { path: '^src/main/' },
    },
    {
      name: 'renderer-is-a-page',
      severity: 'error',
      comment: 'The renderer is sandboxed: no Node, no Electron.',
      from: { path: '^src/renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'features-not-into-each-other',
      severity: 'error',
      comment:
        'What two features of the page share moves to store, format or ui. Composed by others are interventions, trust, score, history, attempt, decisions, notes and sessions, and the timeline by that of a fleet; the screen of a workspace composes all.',
      from: { path: '^src/renderer/src/features/([^/]+)/', pathNot: '^src/renderer/src/features/workspace/' },
      to: {
        path: '^src/renderer/src/features/',
        pathNot: [
          '^src/renderer/src/features/$1/',
          '^src/renderer/src/features/(interventions|trust|score|history|attempt|decisions|notes|sessions|timeline|workspace-menu)/',
          '^src/renderer/src/features/workspace/next-heartbeat\\.tsx$',
        ],
      },
    },
    {
      name: 'electron-only-in-desktop',
      severity: 'error',
      comment:
        'Only main/desktop, the Electron entry and the preload touch Electron, so that everything else runs in plain Node.',
      from: { path: '^src/', pathNot: '^src/(main/desktop/|main/(index|desktop-app)\\.ts$|preload/)' },
      to: { path: '(^electron$|node_modules/electron/)' },
    },
    {
      name: 'opentelemetry-only-when-asked-for',
      severity: 'error',
      comment:
        "OpenTelemetry's packages are loaded only where a collector is configured: main/telemetry imports them, and open-tracer.ts reaches the file that does by import() alone.",
      from: { path: '^src/', pathNot: '^src/main/telemetry/otlp-tracer\\.ts$' },
      to: { path: '(^@opentelemetry/|node_modules/@opentelemetry/)' },
    },
    {
      name: 'nats-only-in-fleet',
      severity: 'error',
      comment:
        'NATS, SQLite and what makes certificates are loaded only where a fleet was set up: main/fleet imports them, and open-fleet.ts, open-centre.ts and the command reach its files by import() alone.',
      from: { path: '^(src|packaging)/', pathNot: '(^src/main/fleet/|\\.test\\.ts$|/testing/)' },
      to: { path: 'node_modules/(@nats-io|node-sqlite3-wasm|selfsigned)/' },
    },
    {
      name: 'main-fleet-knows-the-ledger',
      severity: 'error',
      comment:
        'main/fleet sends lines of the ledger as they stand on disk, and the centre reads and folds them by the same functions: it may import main/ledger, and no other part.',
      from: { path: '^src/main/fleet/', pathNot: '(\\.test\\.ts$|/testing/)' },
      to: { path: '^src/main/(?!fleet/|ledger/|process/|files/|ports/)' },
    },
    ...partsOfMain.map((part) => ({
      name: `main-${part}-stands-alone`,
      severity: 'error',
      comment: `Parts of main meet in host.ts, through the ports: main/${part} must not reach into another part. Only main/process, which runs child processes for several of them, and main/files, which reads and writes files durably, are common ground.`,
      from: { path: `^src/main/${part}/`, pathNot: '(\\.test\\.ts$|/testing/)' },
      to: { path: `^src/main/(?!${part}/|process/|files/|ports/)` },
    })),
    {
      name: 'supervisor-loop-run-judging',
      severity: 'error',
      comment:
        "loop/ decides when, run/ runs an agent, judging/ answers the decision procedure's questions: loop → run → judging, and never back. A rule about a verdict belongs into core/judgement.",
      from: { path: '^src/main/supervisor/(run|judging)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/main/supervisor/loop/' },
    },
    {
      name: 'judging-runs-no-agent',
      severity: 'error',
      comment: 'judging/ looks at what a run left; what both need belongs into judging/ or into core.',
      from: { path: '^src/main/supervisor/judging/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/main/supervisor/run/' },
    },
    {
      name: 'workspace-paths-by-one-module',
      severity: 'error',
      comment:
        'An agent shapes the paths of its workspace: a link, or a folder swapped for one between a look and an opening, would lead Pulseward to a file of the operator’s. Read and write by main/files/beneath.ts (operator-file.ts for contract and configuration), look at names by main/files/names.ts. A file that opens others than a workspace’s is named in opensFilesItself, with whose they are.',
      from: {
        path: `^src/main/(${amongAgentsFiles})/`,
        pathNot: ['\\.test\\.ts$', '/testing/', `^src/main/(${opensFilesItself.join('|')})\\.ts$`],
      },
      to: { path: '^(node:)?fs(/promises)?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'procedures-carry-out-the-api',
      severity: 'error',
      comment:
        'main/procedures stands above the host and its parts: what a part needs of it belongs into that part, or into core.',
      from: { path: '^src/main/(?!procedures/|host\\.ts$|testing/)', pathNot: '(\\.test\\.ts$|/testing/)' },
      to: { path: '^src/main/procedures/' },
    },
    {
      name: 'procedures-without-desktop',
      severity: 'error',
      comment:
        'Procedures answer in plain Node; what they need of a desktop is the port desktop-integration.',
      from: { path: '^src/main/procedures/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/main/(desktop/|index\\.ts|host\\.ts)' },
    },
    {
      name: 'ports-are-plain',
      severity: 'error',
      comment: 'ports/ holds the interfaces between the parts; it may not know any of them.',
      from: { path: '^src/main/ports/' },
      to: { path: '^src/main/(?!ports/)' },
    },
    {
      name: 'host-without-desktop',
      severity: 'error',
      comment: 'The host runs in plain Node (serve, CLI, tests); the desktop wraps it.',
      from: { path: '^src/main/host' },
      to: { path: '^src/main/(desktop/|index\\.ts)' },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      comment: 'Product code must not import tests or fixtures.',
      from: { path: '^src/', pathNot: '(\\.test\\.tsx?$|/fixtures/|/testing/)' },
      to: { path: '(\\.test\\.tsx?$|/fixtures/|/testing/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // TypeScript 7 has no API to read sources with: swc reads them, `import type` and .tsx included (scripts/arrows.test.ts).
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.node.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
