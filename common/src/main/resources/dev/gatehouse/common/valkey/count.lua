-- placeholder, see Counters
return {0}
