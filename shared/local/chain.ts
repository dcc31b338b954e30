import * as z from 'zod'
import { address } from '../fields/address.ts'
import { bool } from '../fields/bool.ts'
import { bytes } from '../fields/bytes.ts'
import { cellsById } from '../fields/cells.ts'
import { rule } from '../fields/field.ts'
import { coins, int32, nonNegative, positive, upTo } from '../fields/ints.ts'
import { text } from '../fields/text.ts'
import { method } from '../method.ts'
import { blockIdExt } from '../models/block.ts'
import { decimal, friendly, hex64, rawUpper } from '../models/wire.ts'

/** Making blocks may take longer than a read. */
const MINUTES = 10 * 60_000

const control = { effect: 'write', needs: 'local', rest: 'none', weight: 1, cache: 'never', errors: ['FORBIDDEN'] } as const

const faucetWallet = z
  .strictObject({
    version: z.enum(['v4R2', 'v5R1']),
    /** Non-bounceable, as people are given it. */
    address: friendly(),
    raw_address: rawUpper(),
    mnemonic: z.array(z.string()),
    public_key: hex64(),
    balance: decimal(),
  })
  .meta({ id: 'FaucetWallet' })

/** The block that holds what was asked. */
const inBlock = z.strictObject({ block: blockIdExt }).meta({ id: 'InBlock' })
const atTime = z.strictObject({ utime: z.int() }).meta({ id: 'AtTime' })

/** Controls of the embedded chain; amounts are decimal texts of nanotons. */
export const local = {
  'local.wallets': method({
    ...control,
    effect: 'read',
    summary: 'The funded wallets with their mnemonics.',
    params: z.object({}),
    result: z.strictObject({ wallets: z.array(faucetWallet) }),
  }),
  'local.fund': method({
    ...control,
    summary: 'Gives coins to an account.',
    params: z.object({ address: address(), amount: coins() }),
    result: inBlock,
  }),
  'local.mine': method({
    ...control,
    deadline: MINUTES,
    summary: 'Makes masterchain blocks now.',
    params: z.object({ count: int32(upTo(100_000n)).default(1) }),
    result: inBlock,
  }),
  'local.setTime': method({
    ...control,
    summary: 'Sets the unix time of the next block.',
    params: z.object({ utime: int32(nonNegative) }),
    result: atTime,
  }),
  'local.increaseTime': method({
    ...control,
    summary: 'Moves the time of the next block forward.',
    params: z.object({ seconds: int32(positive) }),
    result: atTime,
  }),
  'local.snapshot': method({
    ...control,
    summary: 'Marks the present, so that it can be returned to.',
    params: z.object({}),
    result: z.strictObject({ snapshot: z.string() }),
  }),
  'local.revert': method({
    ...control,
    deadline: MINUTES,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    summary: 'Undoes every block after a snapshot.',
    params: z.object({ snapshot: text(100) }),
    result: inBlock,
  }),
  'local.setAccount': method({
    ...control,
    summary:
      'Replaces balance, code, data or library (the root of its Hashmap 256 SimpleLib) of an account, or says whether it is run with every block; what is not given stays.',
    params: z
      .object({
        address: address(),
        balance: coins().optional(),
        code: bytes({ empty: 'empty code' }).optional(),
        data: bytes({ empty: 'empty data' }).optional(),
        library: bytes({ empty: 'empty library' }).optional(),
        // Of the fundamental contracts alone (configuration parameter 31): transactions at the begin and at the end of every block.
        tick: bool().optional(),
        tock: bool().optional(),
      })
      .refine(
        ({ address: _, ...given }) => Object.values(given).some((value) => value !== undefined),
        rule('at least one of balance, code, data, library, tick, tock should be specified'),
      ),
    result: inBlock,
  }),
  'local.sendInternal': method({
    ...control,
    summary: 'Delivers an internal message from any address, without a transaction of the sender.',
    params: z.object({
      from: address({ missing: 'empty from address' }),
      to: address({ missing: 'empty to address' }),
      value: coins(),
      body: bytes({ empty: 'empty body' }).optional(),
      init: bytes({ empty: 'empty init' }).optional(),
      bounce: bool().default(true),
    }),
    result: inBlock,
  }),
  'local.setConfig': method({
    ...control,
    summary: 'Replaces configuration parameters; null removes one. The next masterchain block is a key block.',
    params: z.object({ params: cellsById() }),
    result: inBlock,
  }),
}
