// A transaction without neighbours is a 404.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"v3.adjacentTransactions","params":{"hash":"H5EK8KrxfFjKlkNeNUcD6iBqyy98qYujJpPmb2CLgXc=","direction":"out"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"adjacent transactions not found","data":{"kind":"NOT_FOUND"}}}
