package dev.gatehouse.common.db;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of the pool that is open at the moment; the pool changes when the database is opened again. */
final class ReopenedDataSource implements DataSource {

  private final Supplier<? extends DataSource> pool;

  ReopenedDataSource(Supplier<? extends DataSource> pool) {
    this.pool = pool;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return pool.get().getConnection();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return pool.get().getConnection(user, password);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return pool.get().getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    pool.get().setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.get().setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.get().getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return pool.get().getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return pool.get().unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return pool.get().isWrapperFor(type);
  }
}
