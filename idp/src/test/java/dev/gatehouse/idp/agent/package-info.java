@NullMarked
package dev.gatehouse.idp.agent;

import org.jspecify.annotations.NullMarked;
