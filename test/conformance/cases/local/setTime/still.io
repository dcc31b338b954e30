// Time that stands still is the time of all further blocks, so it can be set again after them.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{"utime":1800000000,"still":true}}
<< {"jsonrpc":"2.0","id":1,"result":{"utime":1800000000}}
>> {"jsonrpc":"2.0","id":2,"method":"local.mine","params":{"count":2}}
<< {"jsonrpc":"2.0","id":2,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":144,"root_hash":"4hw3WrLuT6Oz5Y1MLGC1RLEgE5EYIt3WtlcD9lckN6w=","file_hash":"YCPSiQHBSOK1zV1QOjcSRRYonJdxPDSuFaQsgOBfdqw="}}}
>> {"jsonrpc":"2.0","id":3,"method":"local.setTime","params":{"utime":1800000000}}
<< {"jsonrpc":"2.0","id":3,"result":{"utime":1800000000}}
