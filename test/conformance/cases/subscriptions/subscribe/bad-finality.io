// A finality is pending, confirmed or finalized.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"types":["blocks"],"min_finality":"soon"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown finality state: soon","data":{"kind":"INVALID_PARAMS","issues":[{"param":"min_finality","message":"unknown finality state: soon","expected":"pending, confirmed or finalized"}]}}}
