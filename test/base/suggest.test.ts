import { describe, expect, it } from 'vitest'
import { didYouMean, suggest } from '../../server/base/suggest.ts'
import { settingNames } from '../../server/config/settings.ts'
import { pathOf } from '../../shared/entries.ts'
import { methodNames } from '../../shared/registry.ts'

const meant = (given: string, known: readonly string[] = methodNames): string | undefined =>
  /did you mean (.*)\?$/.exec(didYouMean(given, known))?.[1]

describe('suggestions', () => {
  it.each([
    ['getBalance', 'getAddressBalance'],
    ['getAdressBalance', 'getAddressBalance'],
    ['getmasterchaininfo', 'getMasterchainInfo'],
    ['getTransaction', 'getTransactions'],
    ['runGetMehtod', 'runGetMethod'],
    ['traces', 'v3.traces'],
    ['v3.jettonWallets', 'v3.jetton.wallets'],
    ['fund', 'local.fund'],
    ['local.setTme', 'local.setTime'],
  ])('a name with a missing word or a wrong letter gets a suggestion: %s: %s', (given, name) => {
    expect(meant(given)).toBe(name)
  })

  it.each([
    '',
    'foo',
    'x',
    'eth_blockNumber',
    'hello',
    'constructor',
    '__proto__',
    'getFoo',
    'a'.repeat(100_000),
  ])('no name is suggested for %.20s', (given) => {
    expect(meant(given)).toBeUndefined()
  })

  it.each(['--foo', '--bar', '--x', '--zzz'])('no flag is suggested for %s', (given) => {
    const flags = settingNames.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    expect(suggest('setting', given, flags)).toBe(`unknown setting ${given}`)
  })

  it('a common beginning up to a separator does not make two names alike', () => {
    expect(meant('TONWAY_FOO', ['TONWAY_LOG', 'TONWAY_HOST'])).toBeUndefined()
    expect(meant('TONWAY_LGO', ['TONWAY_LOG', 'TONWAY_HOST'])).toBe('TONWAY_LOG')
    expect(meant('/api/v2/transactions', methodNames.map(pathOf))).toBe('/api/v3/transactions')
    expect(meant('/api/v3/foo', methodNames.map(pathOf))).toBeUndefined()
  })
})
