import type { ParsedAddress } from '../../shared/fields/address.ts'
import type { StackArgument } from '../../shared/fields/stack.ts'
import type { MethodExample } from '../../shared/method.ts'
import type { MethodName, Params, ParamsIn, Registry, Result } from '../../shared/registry.ts'

/* Checked by `npm run types`; nothing here runs. */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <_A extends true>(): void => {}

// Names
'getAddressInformation' satisfies MethodName
'local.mine' satisfies MethodName
// @ts-expect-error an alias is no name
'shards' satisfies MethodName
// @ts-expect-error names are case-sensitive
'getshards' satisfies MethodName

// What a client writes
;({ address: 'EQ' }) satisfies ParamsIn<'getAddressInformation'>
;({ address: 'EQ', seqno: '5' }) satisfies ParamsIn<'getAddressInformation'>
;({ address: 'EQ', seqno: undefined }) satisfies ParamsIn<'getAddressInformation'>
;({ address: 'EQ', lt: 5n, hash: 'x', archival: 'yes', limit: 5 }) satisfies ParamsIn<'getTransactions'>
;({ libraries: 'x' }) satisfies ParamsIn<'getLibraries'>
;({
  address: 'EQ',
  method: 85143,
  stack: [
    ['num', 5n],
    ['tvm.Cell', 'te6cc'],
  ],
}) satisfies ParamsIn<'runGetMethod'>
;({}) satisfies ParamsIn<'getMasterchainInfo'>
// @ts-expect-error address is required
;({}) satisfies ParamsIn<'getAddressInformation'>
// @ts-expect-error an address is a text
;({ address: 5 }) satisfies ParamsIn<'getAddressInformation'>
// @ts-expect-error no such parameter
;({ address: 'EQ', at: 5 }) satisfies ParamsIn<'getAddressInformation'>
// @ts-expect-error a builder cannot be given
;({ address: 'EQ', method: 'x', stack: [['tvm.Builder', '']] }) satisfies ParamsIn<'runGetMethod'>
// @ts-expect-error only a JSON boolean
;({ address: 'EQ', body: '', ignore_chksig: 1 }) satisfies ParamsIn<'estimateFee'>
// @ts-expect-error nothing is taken
;({ x: 1 }) satisfies ParamsIn<'getMasterchainInfo'>

// What a handler receives
same<Equal<Params<'getAddressInformation'>['address'], ParsedAddress>>()
same<Equal<Params<'getAddressInformation'>['seqno'], number | undefined>>()
same<Equal<Params<'getTransactions'>['to_lt'], bigint>>()
same<Equal<Params<'getTransactions'>['limit'], number>>()
same<Equal<Params<'getTransactions'>['hash'], Uint8Array | undefined>>()
same<Equal<Params<'runGetMethod'>['stack'], readonly StackArgument[]>>()
same<Equal<Params<'runGetMethodStd'>['method'], number>>()
same<Equal<Params<'sendBoc'>['boc'], Uint8Array>>()
same<Equal<Params<'lookupBlock'>['shard'], bigint>>()
same<Equal<Params<'getLibraries'>['libraries'], readonly Uint8Array[]>>()

// What stands in the answer
same<Equal<Result<'getAddressBalance'>, string>>()
same<Equal<Result<'getAddressState'>, 'uninitialized' | 'active' | 'frozen'>>()
same<Equal<Result<'getTransactions'>[number]['utime'], number>>()
same<Equal<Result<'sendBoc'>, { '@type': 'ok' }>>()
// @ts-expect-error 64-bit values are texts on the wire, never bigint
;({ '@type': 'internal.transactionId', lt: 5n, hash: '' }) satisfies Result<'getTransactions'>[number]['transaction_id']

// Writes
type WriteMethod = { [M in MethodName]: Registry[M]['effect'] extends 'write' ? M : never }[MethodName]
same<
  Equal<
    WriteMethod,
    | 'subscribe'
    | 'unsubscribe'
    | 'sendBoc'
    | 'sendBocReturnHash'
    | 'sendBocReturnHashNoError'
    | 'v3.message'
    | 'v4.sendMessage'
    | 'hooks.create'
    | 'hooks.delete'
    | 'hooks.test'
    | Exclude<
        Extract<MethodName, `local.${string}`>,
        'local.wallets' | 'local.exportState' | 'local.signTransfer' | 'local.trace' | 'local.traceTransaction'
      >
  >
>()
same<Equal<Registry['runGetMethod']['effect'], 'read'>>()

// Examples are complete
type Examples = Registry['getAddressState']['examples']
// @ts-expect-error no example
;[] satisfies Examples
// @ts-expect-error an example of another method
;[{ title: '', params: { boc: '' } }] satisfies Examples
;({ title: '', params: { address: 'EQ' } }) satisfies MethodExample<Registry['getAddressState']['params']>
