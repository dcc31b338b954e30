// Bytes that are no bag of cells are refused.
// status: 500
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"estimateFee","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","body":"AAAA"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"INVALID_BAG_OF_CELLS: body","data":{"kind":"CHAIN"}}}
