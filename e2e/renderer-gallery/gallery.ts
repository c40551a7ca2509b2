import { settingsSchema } from '../../src/api/schemas/settings.ts'
import { mountApp } from '../../src/renderer/src/mount.tsx'
import { galleryClient } from './client.ts'
import { SCENARIOS, type ScenarioName } from './scenarios.ts'

const query = new URLSearchParams(location.search)
const theme = query.get('theme')
if (theme !== null) document.documentElement.dataset.theme = theme
const name = query.get('scenario') ?? 'usual'
const scenario = SCENARIOS[name as ScenarioName]
if (scenario === undefined)
  throw new Error(`No scenario ${name}. There are: ${Object.keys(SCENARIOS).join(', ')}`)
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
const nowMs = Date.now()
mountApp(root, galleryClient(scenario(nowMs), settingsSchema.shape.theme.parse(theme ?? 'system'), nowMs))
