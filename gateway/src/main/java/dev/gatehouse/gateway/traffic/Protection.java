package dev.gatehouse.gateway.traffic;

/** What a node protects itself and its apps by, shared by all listeners. */
public record Protection(MemoryReserve memory, MaintenanceSwitches maintenance, BufferBudget buffers) {}
