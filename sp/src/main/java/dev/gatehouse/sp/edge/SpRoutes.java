package dev.gatehouse.sp.edge;

import java.util.Map;

/**
 * The paths that one package serves, each with its prefix {@link SpPaths#PREFIX}. One that ends with a slash stands for all paths with
 * one more segment.
 */
public record SpRoutes(Map<String, SpEndpoint> endpoints) {}
