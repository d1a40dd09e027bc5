-- KEYS: value. ARGV: now, value, expiry, prefix of the namespace.
-- Lists what expires in which minute, for sweep.lua: nothing expires by the clock of the server.
local function remember(prefix, expiry, key)
  local minute = math.floor(tonumber(expiry) / 60000)
  if redis.call("RPUSH", prefix .. "d:" .. minute, key) == 1 then
    redis.call("ZADD", prefix .. "d", minute, minute)
  end
end
local old = redis.call('GET', KEYS[1])
if old and struct.unpack('>I8', old, 10) > tonumber(ARGV[1]) then
  return {0}
end
redis.call('SET', KEYS[1], ARGV[2])
remember(ARGV[4], ARGV[3], KEYS[1])
return {1}
