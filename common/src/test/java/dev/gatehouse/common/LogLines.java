package dev.gatehouse.common;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs meanwhile, in place of the console. */
public final class LogLines implements AutoCloseable {

  private final Logger logger;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  public static LogLines of(Class<?> type) {
    LogLines of = new LogLines((Logger) LoggerFactory.getLogger(type));
    of.lines.start();
    of.logger.addAppender(of.lines);
    of.logger.setAdditive(false);
    return of;
  }

  public List<ILoggingEvent> all() {
    return lines.list;
  }

  public List<ILoggingEvent> at(Level level) {
    return lines.list.stream().filter(line -> line.getLevel().equals(level)).toList();
  }

  @Override
  public void close() {
    logger.setAdditive(true);
    logger.detachAppender(lines);
  }
}
