import { amounts, type Body, body, cell, coins, note, noteShown, nothing, query, ref, uint } from '../../decode/hand-made.ts'

export const bodies: readonly Body[] = [
  [
    'deploy_storage_contract',
    body(
      0xe4748df1,
      query,
      ref(
        cell(uint(0x413e39ad, 32), uint(128, 32), uint(999, 64), uint(1, 256), uint(4, 64), uint(2, 256), uint(0, 1), (b) =>
          b.storeSlice(note.slice()),
        ),
      ),
      uint(6, 256),
      amounts(77),
      uint(3600, 32),
    ),
    {
      query_id: '5',
      info: {
        '@type': 'torrent_info',
        piece_size: '128',
        file_size: '999',
        root_hash: '1',
        header_size: '4',
        header_hash: '2',
        microchunk_hash: nothing,
        description: noteShown,
      },
      merkle_hash: `${'0'.repeat(63)}6`,
      expected_rate: coins(77),
      expected_max_span: '3600',
    },
  ],
]
