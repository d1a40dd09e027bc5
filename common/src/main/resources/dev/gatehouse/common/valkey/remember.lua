-- Lists what expires in which minute, for sweep.lua: nothing expires by the clock of the server.
local function remember(prefix, expiry, key)
  local minute = math.floor(tonumber(expiry) / 60000)
  if redis.call("RPUSH", prefix .. "d:" .. minute, key) == 1 then
    redis.call("ZADD", prefix .. "d", minute, minute)
  end
end
