/**
 * The effect of a proposed configuration on people: the gateway's decisions about people are recorded for two days, and asked again
 * of the configuration in use and of the proposed one.
 */
@NullMarked
package dev.gatehouse.gateway.effect;

import org.jspecify.annotations.NullMarked;
