/**
 * Steps of the rotation of keys that are taken on the host: through the node that runs, or with the keys of a stopped one. Each is in the
 * audit log. Uses {@code common.key}, and the REST interface of a running node.
 */
@NullMarked
package dev.gatehouse.gateway.rotation;

import org.jspecify.annotations.NullMarked;
