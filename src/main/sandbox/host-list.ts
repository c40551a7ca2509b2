/** One entry of `[agent] network`: a host, or all of its subdomains if it begins with `*.`, with an optional port. */
interface AllowedHost {
  readonly host: string
  readonly withSubdomains: boolean
  /** `null`: the standard web ports. */
  readonly port: number | null
}

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443])

/** Returns whether a list of hosts allows this connection. Ignores case and a trailing dot. */
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
