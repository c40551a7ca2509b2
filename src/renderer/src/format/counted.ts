export { counted } from '../../../core/scoring/format.ts'
