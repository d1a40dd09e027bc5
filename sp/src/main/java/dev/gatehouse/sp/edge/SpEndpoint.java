package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;

/** Answers the requests to one path below {@link SpPaths#PREFIX}. Blocks: runs on virtual threads. */
@FunctionalInterface
public interface SpEndpoint {

  EdgeReply handle(SpRealm realm, EdgeRequest request);
}
