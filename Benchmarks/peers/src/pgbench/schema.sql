-- The tables that the pin service writes when a pin is created, with its indexes, and pins to read.
create sequence ids start 1000 cache 1000;
create table versions (id bigint primary key, last bigint not null);
insert into versions values (1, 0);
create table account_settings (account text collate "C" primary key, networks text not null, units bigint not null,
    language text not null, start_view bigint not null, version bigint not null);
create table subjects (name text collate "C" primary key, version bigint not null);
create table pins (id bytea primary key, account text collate "C" not null, name text collate "C" not null,
    is_named boolean not null, latitude_e7 bigint not null, longitude_e7 bigint not null, cell bigint not null,
    radius_m float8 not null, state bigint not null, generation bigint not null, created_ms bigint not null,
    version bigint not null, place_count bigint not null default 0, photo_place_count bigint not null default 0,
    photo_count bigint not null default 0, album_state bigint not null default 1,
    album_photo_count bigint not null default 0, album_ready_count bigint not null default 0,
    album_failed_count bigint not null default 0, album_generation bigint not null default 0,
    span_latitude float8, span_longitude float8, state_version bigint not null default 0,
    networks text collate "C" not null default '*', note text collate "C" not null default '',
    visited_day text collate "C" not null default '', imported_by text collate "C" not null default '',
    album_warning text collate "C" not null default '', photo_trouble text collate "C" not null default '');
create index on pins (account, cell, latitude_e7, longitude_e7, id);
create index on pins (account, created_ms, id);
create unique index on pins (account, version);
create index on pins (account, name, cell);
create index on pins (id) where state < 3 and generation > 0;
create table pin_searches (pin bytea not null, network text collate "C" not null, generation bigint not null,
    state bigint not null, place_count bigint not null, is_truncated boolean not null, warning text not null,
    refusals bigint not null, lates bigint not null default 0, primary key (pin, network));
create index on pin_searches (network, pin) where state = 1;
create table jobs (kind text collate "C" not null, key text collate "C" not null, tries bigint not null,
    next_ms bigint not null, lease bigint not null, lease_end_ms bigint not null, is_wanted_again boolean not null,
    reason text not null, kills bigint not null default 0, owner text not null default '', primary key (kind, key));
create index on jobs (owner) where lease <> 0;
create index on jobs (kind, next_ms, key);
create index on jobs (kind, lease_end_ms) where lease <> 0;
insert into subjects select 'bench-' || n, 0 from generate_series(0, 63) n;
insert into pins (id, account, name, is_named, latitude_e7, longitude_e7, cell, radius_m, state, generation,
        created_ms, version, state_version)
    select int8send(n) || int8send(n), 'read', 'Pin ' || n, true, n, n, n, 100, 1, 1, n, n, n
    from generate_series(0, 999) n;
insert into pin_searches select id, 'catalog', 1, 1, 0, false, '', 0, 0 from pins;
