/**
 * Whole journeys of people in real Chromium against a node that runs as a process of its own: login, denial, logout,
 * slow typists, and what browsers do with cookies on the way.
 */
@NullMarked
package dev.gatehouse.gateway.people;

import org.jspecify.annotations.NullMarked;
