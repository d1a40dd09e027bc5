-- KEYS: value. ARGV: now, value, expiry, prefix of the namespace.
local old = redis.call('GET', KEYS[1])
local before = old and struct.unpack('>I8', old, 10)
if old and before > tonumber(ARGV[1]) and string.byte(old, 1) == 1 then
  return {0}
end
redis.call('SET', KEYS[1], ARGV[2])
if not old or before > tonumber(ARGV[3]) then
  remember(ARGV[4], ARGV[3], KEYS[1])
end
return {1}
