@NullMarked
package dev.gatehouse.gateway.federate;

import org.jspecify.annotations.NullMarked;
