@NullMarked
package dev.gatehouse.idp.agent.radius;

import org.jspecify.annotations.NullMarked;
