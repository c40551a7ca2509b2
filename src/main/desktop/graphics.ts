import { entriesOf } from '../files/names.ts'

/** Devices in `/dev` of a graphics processor: NVIDIA's and WSL's here; the kernel's own drivers have render nodes in a folder. */
const PROCESSORS = [/^nvidiactl$/, /^dxg$/]
const RENDER_NODE = /^renderD\d+$/

/**
 * True if Linux shows no graphics processor at all (a virtual machine, a remote or virtual display). Chromium's graphics process
 * then fails and restarts several times while the window is created, and sometimes the window never shows. Rendering in software
 * from the start avoids that. On other systems Chromium knows best.
 */
export function lacksGraphics(platform: NodeJS.Platform, devices = '/dev'): boolean {
  if (platform !== 'linux') return false
  const hasProcessor = entriesOf(devices).some(({ name }) =>
    PROCESSORS.some((processor) => processor.test(name)),
  )
  return !hasProcessor && !entriesOf(`${devices}/dri`).some(({ name }) => RENDER_NODE.test(name))
}
