package dev.gatehouse.gateway.traffic;

/** The limits that protect a node and its apps, shared by all listeners. */
public record Protection(MemoryReserve memory, MaintenanceSwitches maintenance, BufferBudget buffers, HeldBodies bodies) {}
