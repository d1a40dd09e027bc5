@NullMarked
package dev.gatehouse.idp.agent.offline;

import org.jspecify.annotations.NullMarked;
