package dev.gatehouse.sp.edge;

import java.util.Map;

/** The paths that one package serves, each with its prefix {@link SpPaths#PREFIX}. */
public record SpRoutes(Map<String, SpEndpoint> endpoints) {}
