import { connectApi } from './api-client/connect.ts'
import { mountApp } from './mount.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
mountApp(root, await connectApi(window))
