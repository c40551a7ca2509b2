import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { bundledPackages } from './bundled.ts'
import type { Plan } from './plan.ts'
import { run } from './run.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string }[]
  readonly [field: string]: unknown
}

interface Bill {
  serialNumber: string
  readonly metadata: { timestamp: string; readonly component: { name: string; type: string } }
  components: Component[]
  dependencies: { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/**
 * Returns the CycloneDX bill of what is shipped: `npm sbom` of this checkout without build and test dependencies, plus the two
 * runtimes. Deterministic for the same sources: its serial number derives from its content, its time is that of the sources.
 */
export function billOfMaterials(plan: Plan): string {
  const bill = JSON.parse(
    run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { cwd: plan.root }),
  ) as Bill
  const shipped = new Set(bundledPackages(plan.root).map(({ name, version }) => `${name}@${version}`))
  const components = bill.components
    .filter(({ name, version }) => shipped.has(`${name}@${version}`))
    .map(withoutDevelopment)
  const missing = [...shipped].filter(
    (id) => !components.some(({ name, version }) => `${name}@${version}` === id),
  )
  if (missing.length > 0) throw new Error(`npm sbom does not list what is bundled: ${missing.join(', ')}.`)
  bill.components = [...components, runtime('electron', plan.electronVersion), nodeRuntime(plan)]
  const refs = new Set(bill.components.map((component) => component['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  bill.metadata.component.name = 'pulseward'
  bill.metadata.component.type = 'application'
  bill.metadata.timestamp = new Date(plan.epoch * 1000).toISOString()
  bill.serialNumber = ''
  bill.serialNumber = serialNumber(JSON.stringify(bill))
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** Removes the mark of development dependencies, which npm puts on all our packages because an installation needs none. */
function withoutDevelopment(component: Component): Component {
  const properties = (component.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development')
  return { ...component, properties }
}

function nodeRuntime(plan: Plan): Component {
  const hash = createHash('sha256').update(readFileSync(plan.node)).digest('hex')
  const { version } = JSON.parse(readFileSync(`${plan.root}/node_modules/node/package.json`, 'utf8'))
  return { ...runtime('node', version), hashes: [{ alg: 'SHA-256', content: hash }] }
}

function runtime(name: string, version: string): Component {
  const purl = `pkg:npm/${name}@${version}`
  return {
    'bom-ref': `runtime:${name}@${version}`,
    type: 'framework',
    name,
    version,
    scope: 'required',
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

/** Returns a UUID of the content (version 8 of RFC 9562). */
function serialNumber(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
