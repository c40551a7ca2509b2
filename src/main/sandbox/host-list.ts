/**
 * One entry of `[agent] network`: a host, all of its subdomains where it begins with `*.`, and a port where it
 * names one.
 */
interface AllowedHost {
  readonly host: string
  readonly withSubdomains: boolean
  /** `null`: those of the web. */
  readonly port: number | null
}

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443])

/** Whether a list of hosts allows a connection to this one. Names compare without case and without a final dot. */
export function allowsHost(list: readonly string[], host: string, port: number): boolean {
  const asked = plain(host)
  return list.map(parse).some((allowed) => {
    const fits = allowed.withSubdomains ? asked.endsWith(`.${allowed.host}`) : asked === allowed.host
    return fits && (allowed.port === null ? WEB_PORTS.has(port) : port === allowed.port)
  })
}

function parse(entry: string): AllowedHost {
  const [, name = entry, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const withSubdomains = name.startsWith('*.')
  return {
    host: plain(withSubdomains ? name.slice(2) : name),
    withSubdomains,
    port: port === undefined ? null : Number(port),
  }
}

function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
