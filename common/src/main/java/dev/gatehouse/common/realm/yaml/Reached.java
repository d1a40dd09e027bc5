package dev.gatehouse.common.realm.yaml;

/** A host or URL that was read, with what it is to the node. */
public record Reached(Reach reach, YamlValue value) {}
