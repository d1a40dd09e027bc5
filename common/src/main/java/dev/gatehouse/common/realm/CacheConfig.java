package dev.gatehouse.common.realm;

/** That responses of a route may be kept, and what is special about it (RFC 9111). */
public record CacheConfig() {}
