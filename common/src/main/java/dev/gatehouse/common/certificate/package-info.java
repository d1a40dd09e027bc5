/**
 * Client certificates of people (RFC 5280): whether one counts, and whose it is. For every place that logs people in by them; knows
 * neither sockets nor directories.
 */
@NullMarked
package dev.gatehouse.common.certificate;

import org.jspecify.annotations.NullMarked;
