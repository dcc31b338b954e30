// What a transfer of a wallet costs.
>> {"jsonrpc":"2.0","id":1,"method":"v3.estimateFee","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","body":"te6cckEBAgEAlAABnPQ26SE+XzOIC2RLs0w7T86Ma5hLDnrlreuOiRCEXec3SMXvBy/EMp0dF4kOOOfN8wXakQmvpsDGAyNZlwkjLQspqaMX/////wAAAAwAAwEAgkIAO7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7uh3NZQAAAAAAAAAAAAAAAAAAAAAAAAZm9yIGx1bmNodItQRQ==","ignore_chksig":true}}
<< {"jsonrpc":"2.0","id":1,"result":{"source_fees":{"in_fwd_fee":108001,"storage_fee":130,"gas_fee":220534,"fwd_fee":66667},"destination_fees":[]}}
