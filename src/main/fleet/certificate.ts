import { isIP } from 'node:net'
import { generate } from 'selfsigned'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/**
 * Creates the hub's own certificate, valid for ten years and for this name only. Hosts receive it with their token and accept no
 * other, so no certificate authority has to be trusted.
 */
export async function certificateFor(
  host: string,
  nowMs: number,
): Promise<{ readonly key: string; readonly certificate: string }> {
  const name = isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host }
  const made = await generate([{ name: 'commonName', value: 'Pulseward hub' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // The certificate is already valid for a host with a clock that is behind.
    notBeforeDate: new Date(nowMs - 24 * 60 * 60 * 1000),
    notAfterDate: new Date(nowMs + 10 * YEAR_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [name] },
    ],
  })
  return { key: made.private, certificate: made.cert }
}
