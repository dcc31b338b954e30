import { describe, expect, it } from 'vitest'
import type { AccountFacts } from '../../server/actions/facts.ts'
import type { Address, Trace } from '../../server/actions/trace.ts'
import { classify, showDetails } from '../../server/protocols/index.ts'
import { readData, readJson } from '../kit/data.ts'
import { base64, cellOf } from '../tlb/data.ts'
import { account } from './compose.ts'
import { tracesOf, transactionsOf } from './from-blocks.ts'

/*
 * Ten traces of mainnet blocks that no classifier told before: what happened was read by hand from the raw messages, field by field, and written down
 * here before ours was asked. Facts are what the messages show of the accounts; where they do not name a jetton or a collection, a number stands for it.
 */

interface Told {
  readonly type: string
  readonly success: boolean
  readonly [detail: string]: unknown
}

interface ByHand {
  readonly title: string
  /** The file with the blocks. */
  readonly blocks: string
  /** Hash of the first transaction. */
  readonly trace: string
  readonly facts?: { readonly [address: Address]: AccountFacts }
  readonly actions: readonly Told[]
}

const BUNDLE = 'chain/mainnet-bundle-56703839.json'
const MAY_2026 = 'blocks/tonutils-block_0_8000000000000000_71398501.boc'
const [JETTON, COLLECTION] = [account(0x1e770), account(0xc0113)] as [Address, Address]
const TONSTAKERS = '0:A45B17F28409229B78360E3290420F13E4FE20F90D7E2BF8C4AC6703259E22FA'
const TSTON = '0:BDF3FA8098D129B54B4F73B5BAC5D1E1FD91EB054169C3916DFC8CCD536D1000'
const DUST = '0:53732B598DD67014B8FA4CEEC2786BE7E1A326A97BDB5FE9CE0E20296DDD35D6'

const TRACES: readonly ByHand[] = [
  {
    title: 'April 2020: a faucet pays one GRAM with a comment',
    blocks: 'blocks/rust-0_0800000000000000_4653811.boc',
    trace: '8d512de1f07239705972edf4a1d89837d9c2c8968bfec16b721ced94481a9058',
    actions: [
      {
        type: 'ton_transfer',
        success: true,
        source: '0:0C3DD0656AFBBB82AF951A8A8AF7781DF3C2FDB7BE1662C067475FCD252321D6',
        destination: '0:052D4A87178B853445CC3E522A99A64DAC836AE593792D66CD724B855EA28EEC',
        value: '1000000000',
        comment: 'Faucet',
        encrypted: false,
      },
    ],
  },
  {
    title: 'November 2022: 8,243 GRAM without a comment',
    blocks: 'blocks/tongo-block-1.boc',
    trace: 'c5ca880c8e667af78d193ac5d2f1437c2bcec08d16436f6579f3493e556b4f48',
    actions: [
      {
        type: 'ton_transfer',
        success: true,
        source: '0:0959FE7F37E1E4EFC1AC72A4FB089DEA6CC722A8AF7937A648B06425BF6E9D1F',
        destination: '0:A77531923D23B0D02554170149A7048D864BC51DA40E87A2E7E4927349B54B17',
        value: '8243000000000',
        comment: null,
      },
    ],
  },
  {
    title: 'a wallet v5 is deployed by its first order, which pays a new account twice',
    blocks: BUNDLE,
    trace: '767a8dba42a69fa2c2a9bcc68e2fbf40d169d1c2bd623047a807cddee9581c20',
    actions: [
      {
        type: 'contract_deploy',
        success: true,
        opcode: '0x7369676e',
        destination: '0:53A0D680223F0C3281ED0C702C10A1CCDE7F827C277E168132CF0E947B35CD9B',
      },
      ...['30000000', '24200000000'].map((value) => ({
        type: 'ton_transfer',
        success: true,
        source: '0:53A0D680223F0C3281ED0C702C10A1CCDE7F827C277E168132CF0E947B35CD9B',
        destination: '0:2FBEB36E353EF458AF12EA7D9465510A1E4CA2A786DA6D280A968CA5F5C98CDB',
        value,
      })),
    ],
  },
  {
    title: 'stars are bought through a contract that passes the money on',
    blocks: MAY_2026,
    trace: 'd38fd30e4e73b3f265a6c5ebdf4373e33bce3ea21796577a88898749487468ab',
    actions: [
      {
        type: 'call_contract',
        success: true,
        opcode: '0x00000002',
        source: '0:A9558B20E93C35DF38B326449C5EDAF320CCFE487393773BFF5ABDB244B739DD',
        destination: '0:FAC892D651DF767DB5B422414F98F993073F1A2AABC6B80E4FEA9C116AA491BE',
        value: '716646000',
      },
      {
        type: 'ton_transfer',
        success: true,
        source: '0:FAC892D651DF767DB5B422414F98F993073F1A2AABC6B80E4FEA9C116AA491BE',
        destination: '0:852443F8599FE6A5DA34FE43049AC4E0BEB3071BB2BFB56635EA9421287C283A',
        value: '701800000',
        comment: '100 Telegram Stars \n\nRef#91deK9JSq',
      },
    ],
  },
  {
    title: 'a highload wallet calls itself and pays with a memo',
    blocks: BUNDLE,
    trace: '3bc0fe2fa8775ce474e3de3e0f155efd286f7055316b67a299cee3a54e411d3d',
    actions: [
      {
        type: 'call_contract',
        success: true,
        opcode: '0xae42e5a4',
        source: '0:61B26C333345FDFF5023DDD0965175983488E3D0900FA01DDEDA25E256B3932A',
        destination: '0:61B26C333345FDFF5023DDD0965175983488E3D0900FA01DDEDA25E256B3932A',
        value: '2985267500',
      },
      {
        type: 'ton_transfer',
        success: true,
        source: '0:61B26C333345FDFF5023DDD0965175983488E3D0900FA01DDEDA25E256B3932A',
        destination: '0:0517A4DFFE30004D36A3FA1B358AB7993AF7DD3FB6CBF31E1F1D698CDF6C2F3F',
        value: '2985267500',
        comment: '71617319',
      },
    ],
  },
  {
    title: 'a transfer of 6.2 of a jetton with a comment',
    blocks: BUNDLE,
    trace: '0ad005be60f352a05f29c82c74801be5da0021f53d29f6c0fe560fe22cdc942e',
    facts: {
      '0:440DDFF03A414F52CB7F76A831A1960FC5DE76C8D6A854C75E18315943E830B7': {
        jettonWallet: { owner: '0:2E0F4C0EF9C0707484EF85C470F2415C8DC43EB8363F924F408CB34F65CDFAEE', jetton: JETTON },
      },
      '0:E78A52AC516138191DCC2C95244BC664E0579B7E6C22F016E3BF0950967F78E5': {
        jettonWallet: { owner: '0:03499E34B4156E63FFBD985B1AE5691AA020FDDCDDEC655A4C8AFC4E41E42752', jetton: JETTON },
      },
    },
    actions: [
      {
        type: 'jetton_transfer',
        success: true,
        asset: JETTON,
        sender: '0:2E0F4C0EF9C0707484EF85C470F2415C8DC43EB8363F924F408CB34F65CDFAEE',
        receiver: '0:03499E34B4156E63FFBD985B1AE5691AA020FDDCDDEC655A4C8AFC4E41E42752',
        sender_jetton_wallet: '0:440DDFF03A414F52CB7F76A831A1960FC5DE76C8D6A854C75E18315943E830B7',
        receiver_jetton_wallet: '0:E78A52AC516138191DCC2C95244BC664E0579B7E6C22F016E3BF0950967F78E5',
        amount: '6200000',
        comment: 'id: 4150',
        is_encrypted_comment: false,
        query_id: '0',
        response_destination: '0:2E0F4C0EF9C0707484EF85C470F2415C8DC43EB8363F924F408CB34F65CDFAEE',
        forward_amount: '0',
      },
    ],
  },
  {
    title: 'an NFT is given away with a few words in Russian',
    blocks: BUNDLE,
    trace: '50e22840220e70a6a5ad8e69db20b61756f97367c9911030733c28e742f65f9f',
    facts: {
      '0:5E44A977C294B83E2502D88FACDAA556EA31BAE05DE82C7944484A40B6CD8CE0': {
        nftItem: { index: 7n, collection: COLLECTION, owner: null, uri: null, codeHash: null },
      },
    },
    actions: [
      {
        type: 'nft_transfer',
        success: true,
        nft_item: '0:5E44A977C294B83E2502D88FACDAA556EA31BAE05DE82C7944484A40B6CD8CE0',
        nft_collection: COLLECTION,
        nft_item_index: '7',
        old_owner: '0:81734AAAE2A777067012F740193A1790FEC1C8B47B02EE7AC97CE0D9AB9C3577',
        new_owner: '0:41084398C45F8F6B158DE5C33271BBD3DAD054E46C9A39BC31F407A2E4B05EFF',
        response_destination: '0:81734AAAE2A777067012F740193A1790FEC1C8B47B02EE7AC97CE0D9AB9C3577',
        query_id: String(0x213a81cc653fa76cn),
        forward_amount: '1',
        comment: 'Терминатор 2, Судный день',
        is_purchase: false,
      },
    ],
  },
  {
    title: 'a stake of 520 GRAM at Tonstakers',
    blocks: MAY_2026,
    trace: 'f5924c4dadf3ab90625b8bf17a8a5fb242230e604c6a720fe1b3fc84a389ee36',
    actions: [
      {
        type: 'stake_deposit',
        success: true,
        provider: 'liquid_staking',
        stake_holder: '0:89F356BD10B3C8609187C5ABCD7BB1D5840C7F8A88E73DEBFF8E64FFD8F12010',
        pool: TONSTAKERS,
        amount: '520000000000',
        tokens_minted: String(0x6d35b61523n),
        asset: TSTON,
      },
    ],
  },
  {
    title: 'a stake at Tonstakers is paid out at once',
    blocks: MAY_2026,
    trace: 'f87f2de8a7b8cb7c289a80cc5a7aaf4a0855dd51b73920c1523db66edc2adeef',
    actions: [
      {
        type: 'stake_withdrawal',
        success: true,
        provider: 'liquid_staking',
        stake_holder: '0:BC91B30E0AFE5CB6DB47B1F2127C83B63F75207102FC3499A6A7B8182C85115E',
        pool: TONSTAKERS,
        amount: String(29_638_101_582n - 1_048_796_730n),
        tokens_burnt: String(0x0601a0420bn),
        payout_nft: null,
        asset: TSTON,
      },
    ],
  },
  {
    title: 'two GRAM are swapped for a jetton at DeDust, and a fee is paid beside',
    blocks: BUNDLE,
    trace: 'f4e5dfc87fa52308720b1e41e527c06876f5daeaf0011b48b324906abb5bf91a',
    facts: {
      '0:C373C4CE6709C4ACD84B98A35AE302B8597FB4F6AFC227DC77219E4881D42377': {
        jettonWallet: { owner: '0:8C2D61DC1B3E0090D4E73FA093306D06BA8EBCFC34D9E4373E0061EAB4DF2578', jetton: DUST },
      },
      '0:1EEED7BB3F2AC004591097C15C992BD722D779BB9219CD3634FC0875646DB899': {
        jettonWallet: { owner: '0:4B7DF3F37E33BF8334BBCA4F9191D0957D323550D1494C00C3B19C244B9B8F2C', jetton: DUST },
      },
      '0:5404AE9A17CA7D00CE9214465CECC47848D65E21F32FC32D26F6F080252F6887': { dedustPool: [null, DUST] },
    },
    actions: [
      {
        type: 'jetton_swap',
        success: true,
        dex: 'dedust',
        sender: '0:4B7DF3F37E33BF8334BBCA4F9191D0957D323550D1494C00C3B19C244B9B8F2C',
        asset_in: null,
        asset_out: DUST,
        dex_incoming_transfer: expect.objectContaining({ asset: null, amount: '2000000000' }),
        dex_outgoing_transfer: expect.objectContaining({
          asset: DUST,
          amount: String(0x0558fd4b38b5n),
          destination: '0:4B7DF3F37E33BF8334BBCA4F9191D0957D323550D1494C00C3B19C244B9B8F2C',
          destination_jetton_wallet: '0:1EEED7BB3F2AC004591097C15C992BD722D779BB9219CD3634FC0875646DB899',
        }),
        peer_swaps: [],
      },
      {
        type: 'call_contract',
        success: true,
        opcode: '0x4d238543',
        source: '0:4B7DF3F37E33BF8334BBCA4F9191D0957D323550D1494C00C3B19C244B9B8F2C',
        destination: '0:D49106E94D5220B7BBFAEBE253151FB7F9E5D1173FF857AE85F947E7EAF3A0D0',
        value: '17500000',
      },
    ],
  },
]

const tracesIn = (name: string): readonly Trace[] => {
  const roots = name.endsWith('.boc')
    ? [cellOf(readData(name))]
    : readJson<{ blocks: { boc: string }[] }>(name).blocks.map(({ boc }) => base64(boc))
  return tracesOf(roots.flatMap(transactionsOf))
}
const read = new Map<string, readonly Trace[]>()
const traceIn = (name: string, id: string): Trace => {
  const traces = read.get(name) ?? tracesIn(name)
  read.set(name, traces)
  return traces.find((trace) => Buffer.from(trace.id, 'latin1').toString('hex') === id)!
}

describe('traces that were worked out by hand', () => {
  it.each(TRACES.map((trace) => [trace.title, trace] as const))('the trace worked out by hand is classified so: %s', (_, {
    blocks,
    trace,
    facts = {},
    actions,
  }) => {
    const told = classify(traceIn(blocks, trace), new Map(Object.entries(facts)))
    expect(told.state).toBe('ok')
    const options = { isTestnet: false }
    const shown = told.actions.map((action) => ({ type: action.type, success: action.success, ...showDetails(action, options) }))
    const sorted = (list: readonly object[]) => [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    expect(shown.map(({ type }) => type).sort()).toEqual(actions.map(({ type }) => type).sort())
    for (const expected of actions) expect(sorted(shown)).toContainEqual(expect.objectContaining(expected))
  })
})
