/** How a node serves: how long callers wait, how soon it is fast, what it holds, and whether that grows. */
@NullMarked
package dev.gatehouse.perf.service;

import org.jspecify.annotations.NullMarked;
