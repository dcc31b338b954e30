// A block that does not exist yet is an error of the chain.
// status: 500
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getTokenData","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333","seqno":2000000000}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=2000000000: seqno not in db (last known masterchain block: 142)","data":{"kind":"CHAIN"}}}
