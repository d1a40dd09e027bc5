-- Asks Gatehouse whether a request may pass (HAProxy 2.5 or later, built with Lua):
--   global        lua-load /etc/haproxy/gatehouse.lua
--   frontend      http-request lua.gatehouse-auth http://127.0.0.1:8000 unless { path_beg /.gatehouse/ }
-- What the app is told of the person is set from the answer; what a client says of itself is removed.

local told = { "Remote-User", "Remote-Groups", "Remote-Name", "Remote-Email", "Remote-Roles", "X-Identity-Token" }

-- About the connection or the body, or replaced by ours.
local left = {
  ["host"] = true, ["connection"] = true, ["content-length"] = true, ["transfer-encoding"] = true, ["expect"] = true,
  ["upgrade"] = true, ["te"] = true, ["keep-alive"] = true, ["forwarded"] = true,
  ["x-forwarded-for"] = true, ["x-forwarded-proto"] = true, ["x-forwarded-host"] = true, ["x-forwarded-port"] = true,
  ["x-forwarded-method"] = true, ["x-forwarded-uri"] = true
}

core.register_action("gatehouse-auth", { "http-req" }, function(txn, gateway)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    if not left[name] then
      headers[name] = {}
      for _, value in pairs(values) do
        table.insert(headers[name], value)
      end
    end
  end
  headers["x-forwarded-method"] = { txn.sf:method() }
  headers["x-forwarded-proto"] = { txn.sf:ssl_fc() == 1 and "https" or "http" }
  headers["x-forwarded-host"] = { txn.sf:req_fhdr("host") }
  headers["x-forwarded-uri"] = { txn.sf:pathq() }
  headers["x-forwarded-for"] = { txn.sf:src() }

  local answer = core.httpclient():get{
    url = gateway .. "/.gatehouse/forward-auth/haproxy", headers = headers, timeout = 5000
  }
  if answer and answer.status == 200 then
    for _, name in ipairs(told) do
      txn.http:req_del_header(name)
      local values = answer.headers[name:lower()]
      if values then
        txn.http:req_set_header(name, values[0] or values[1])
      end
    end
    return
  end

  local reply = txn:reply{ status = 503, reason = "Service Unavailable" }
  if answer and answer.status and answer.status >= 300 then
    reply:set_status(answer.status)
    for _, name in ipairs({ "location", "content-type", "www-authenticate", "cache-control", "retry-after" }) do
      local values = answer.headers[name]
      if values then
        reply:add_header(name, values[0] or values[1])
      end
    end
    reply:set_body(answer.body or "")
  end
  txn:done(reply)
end, 1)
