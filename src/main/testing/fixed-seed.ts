import { configureGlobal, readConfigureGlobal } from 'fast-check'

/*
 * Runs before each test file: a property tries the same inputs each time, so that a change fails for what it changed. The weekly workflow
 * tries others; its log names the seed to repeat a failure with.
 */
const { PROPERTY_SEED = '20261128' } = process.env
configureGlobal({ ...readConfigureGlobal(), seed: Number(PROPERTY_SEED) })
