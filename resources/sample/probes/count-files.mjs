// Prints how many files a folder holds: `node count-files.mjs FOLDER`. A folder that does not exist holds none.
import { readdirSync } from 'node:fs'

try {
  console.log(readdirSync(process.argv[2]).length)
} catch (error) {
  if (error.code !== 'ENOENT') throw error
  console.log(0)
}
