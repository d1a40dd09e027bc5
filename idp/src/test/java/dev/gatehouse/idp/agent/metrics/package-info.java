@NullMarked
package dev.gatehouse.idp.agent.metrics;

import org.jspecify.annotations.NullMarked;
