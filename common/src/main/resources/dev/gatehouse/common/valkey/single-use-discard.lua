-- KEYS: value. ARGV: now.
local value = redis.call('GET', KEYS[1])
if value and struct.unpack('>I8', value, 10) > tonumber(ARGV[1]) and string.byte(value, 1) == 0 then
  redis.call('DEL', KEYS[1])
  return {1}
end
return {0}
