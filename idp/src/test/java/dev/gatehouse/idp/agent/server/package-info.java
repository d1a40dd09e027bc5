@NullMarked
package dev.gatehouse.idp.agent.server;

import org.jspecify.annotations.NullMarked;
