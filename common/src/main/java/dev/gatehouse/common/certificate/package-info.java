/**
 * Client certificates of people (RFC 5280): whether one is accepted, whose it is, and how a refusal is written. For every part that logs
 * people in by certificate; knows neither sockets nor directories. Also the names in any certificate's subjectAltName.
 */
@NullMarked
package dev.gatehouse.common.certificate;

import org.jspecify.annotations.NullMarked;
