//! Ordinary code of the languages that only the reserve has.
//!
//! Languages are called by the name or ending that people give a fenced block of them; where the open tables
//! have a language without code of its own (`perl`, `lua` …), the reserve has it under another one (`pl`, `luajit` …).

/// The pieces that a language's files are made of.
#[rustfmt::skip]
pub(in crate::planted_secrets) fn pieces(language: &str) -> Option<&'static [&'static str]> {
    Some(match language {
        "cloudformation" => &["AWSTemplateFormatVersion: '2010-09-09'\nParameters:\n  Size:\n    Type: Number\n    Default: $number\n", "  $NounTable:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      BillingMode: PAY_PER_REQUEST\n"],
        "bicep" => &["param location string = resourceGroup().location\nparam count int = $number\n", "resource $noun 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'acme$noun'\n  location: location\n}\n"],
        "ansible" | "hiera" => &["- hosts: web\n  become: true\n  vars:\n    $noun_limit: $number\n", "    - name: $verb the $noun\n      ansible.builtin.template:\n        src: $noun.j2\n        dest: /etc/acme/$noun.conf\n        mode: \"0644\"\n"],
        "puppet" => &["class acme::$noun (\n  Integer $limit = $number,\n) {\n  package { 'acme-$noun': ensure => installed }\n}\n", "  service { '$noun':\n    ensure => running,\n    enable => true,\n  }\n"],
        "jenkinsfile" => &["pipeline {\n    agent any\n    options { timeout(time: $number, unit: 'MINUTES') }\n", "        stage('$verb') {\n            steps {\n                sh './gradlew $verb'\n            }\n        }\n"],
        "gradle" => &["plugins {\n    id 'com.android.application'\n}\n", "android {\n    compileSdk 34\n    defaultConfig {\n        applicationId \"com.acme.$noun\"\n        versionCode $number\n    }\n}\n", "dependencies {\n    implementation 'com.acme:$noun:1.4.2'\n}\n"],
        "sbt" => &["package acme.$noun\n\nimport scala.concurrent.Future\n", "final case class $Noun(id: Long, name: String, size: Int = $number)\n", "  def $verb(items: List[$Noun]): Int =\n    items.filter(_.size > $number).map(_.size).sum\n"],
        "hocon" => &["acme {\n  $noun {\n    enabled = true\n    limit = $number\n  }\n}\n", "akka.loglevel = \"INFO\"\n"],
        "rscript" => &["library(dplyr)\nlibrary(ggplot2)\n", "$verb_$noun <- function(data, limit = $number) {\n  data %>% filter(size > limit) %>% summarise(total = sum(size))\n}\n", "plot(cars$speed, cars$dist, main = \"$Noun\")\n"],
        "flutter" => &["import 'package:flutter/material.dart';\n", "class $NounPage extends StatelessWidget {\n  const $NounPage({super.key});\n\n  @override\n  Widget build(BuildContext context) => const Text('$noun');\n}\n", "final int limit = $number;\n"],
        "exs" => &["defmodule Acme.$Noun do\n  use Ecto.Schema\n", "  def $verb(items, limit \\\\ $number) do\n    items |> Enum.take(limit) |> Enum.map(& &1.size)\n  end\n", "config :logger, level: :info\n"],
        "erl" => &["-module($noun).\n-export([$verb/1]).\n", "$verb(Items) ->\n    lists:sum([Size || {_, Size} <- Items, Size > $number]).\n", "init([]) ->\n    {ok, #{limit => $number}}.\n"],
        "hs" => &["module Acme.$Noun where\n\nimport qualified Data.Map as Map\n", "$verb :: [Int] -> Int\n$verb = sum . take $number . filter even\n", "data $Noun = $Noun { name :: String, size :: Int } deriving (Show)\n"],
        "clj" | "elisp" => &["(ns acme.$noun\n  (:require [clojure.string :as str]))\n", "(defn $verb-$noun [items limit]\n  (reduce + (take limit (map :size items))))\n", "(def limit $number)\n"],
        "luajit" => &["local M = {}\n", "function M.$verb(items, limit)\n  local total = 0\n  for i = 1, math.min(#items, limit or $number) do\n    total = total + items[i].size\n  end\n  return total\nend\n", "return M\n"],
        "pl" => &["use strict;\nuse warnings;\n", "sub $verb_$noun {\n    my ($items, $limit) = @_;\n    return scalar grep { $_->{size} > $limit } @$items;\n}\n", "print \"$noun: \", scalar(@items), \"\\n\";\n"],
        "jl" => &["using DataFrames, CSV\n", "function $verb(items; limit = $number)\n    return sum(x.size for x in first(items, limit))\nend\n", "struct $Noun\n    name::String\n    size::Int\nend\n"],
        "objc" => &["#import <Foundation/Foundation.h>\n#import \"$Noun.h\"\n", "- (NSInteger)$verb$Noun:(NSArray *)items {\n    return MIN(items.count, $number);\n}\n", "@property (nonatomic, copy) NSString *name;\n"],
        "vbnet" => &["Imports System.Data\n", "    Public Function $verb(items As List(Of $Noun)) As Integer\n        Return items.Count + $number\n    End Function\n", "        For Each one In items\n            total += one.Amount\n        Next\n"],
        "fsharp" => &["module Acme.$Noun\n\nopen System\n", "let $verb items =\n    items |> List.filter (fun one -> one.Size > $number) |> List.length\n"],
        "ocaml" => &["open Printf\n", "let $verb items = List.fold_left (fun total one -> total + one.size) $number items\n", "type $noun = { name : string; size : int }\n"],
        "fortran" => &["      program $noun\n      implicit none\n      integer :: i, total\n", "      do i = 1, $number\n        total = total + i\n      end do\n"],
        "cobol" => &["       IDENTIFICATION DIVISION.\n       PROGRAM-ID. $noun.\n", "       01  WS-TOTAL PIC 9(6) VALUE $number.\n", "           DISPLAY 'DONE' WS-TOTAL.\n"],
        "matlab" => &["function total = $verb(items)\n    total = sum(items(1:$number));\nend\n", "x = linspace(0, 1, $number);\nplot(x, sin(x));\n"],
        "delphi" => &["unit $Noun;\n\ninterface\n\nuses SysUtils, Classes;\n", "function T$Noun.$verb(Limit: Integer): Integer;\nbegin\n  Result := Limit + $number;\nend;\n"],
        "ada" => &["with Ada.Text_IO; use Ada.Text_IO;\n", "procedure $Noun is\n   Total : Integer := $number;\nbegin\n   Put_Line (\"$noun\");\nend $Noun;\n"],
        "nim" => &["import std/[strutils, tables]\n", "proc $verb(items: seq[int]): int =\n  for item in items:\n    result += item * $number\n"],
        "zig" => &["const std = @import(\"std\");\n", "pub fn $verb(items: []const u32) u32 {\n    var total: u32 = $number;\n    for (items) |item| total += item;\n    return total;\n}\n"],
        "tcl" => &["package require Tcl 8.6\n", "proc $verb {items limit} {\n    return [llength [lrange $items 0 $limit]]\n}\n"],
        "plsql" => &["CREATE OR REPLACE PROCEDURE $verb_$noun IS\n  v_total NUMBER := $number;\nBEGIN\n", "  SELECT COUNT(*) INTO v_total FROM $noun;\n", "END;\n/\n"],
        "prolog" => &["$verb(X, Y) :- $noun(X, Z), Z > $number, Y is Z - 1.\n", "$noun(first, $number).\n"],
        "vim" => &["set number\nset shiftwidth=4\n", "nnoremap <leader>f :Files<CR>\n", "let g:$noun_limit = $number\n"],
        "graphql" => &["query $Noun {\n  $noun(first: $number) { id name }\n}\n", "fragment $NounParts on $Noun {\n  id\n  size\n}\n"],
        "prototext" | "proto" => &["name: \"$noun\"\nlimit: $number\n", "worker {\n  kind: \"$verb\"\n  replicas: 2\n}\n"],
        "systemd" => &["[Unit]\nDescription=Acme $noun\nAfter=network.target\n", "[Service]\nExecStart=/usr/bin/acme-$noun --limit $number\nRestart=on-failure\n"],
        "supervisor" => &["[program:$noun]\ncommand=/usr/bin/acme-$noun --limit $number\nautostart=true\n"],
        "reg" => &["Windows Registry Editor Version 5.00\n", "[HKEY_CURRENT_USER\\Software\\Acme\\$Noun]\n\"Limit\"=dword:00000$number\n\"Name\"=\"first\"\n"],
        "apache" => &["<VirtualHost *:80>\n    ServerName $noun.example.com\n    DocumentRoot /srv/$noun\n</VirtualHost>\n"],
        "nginx" => &["server {\n    listen 80;\n    server_name $noun.example.com;\n", "    location /$noun {\n        proxy_pass http://127.0.0.1:$number;\n    }\n"],
        "haproxy" => &["frontend $noun\n    bind *:80\n    default_backend web\n", "backend web\n    balance roundrobin\n    server web1 10.0.0.4:$number check\n"],
        "conf" | "kickstart" => &["# how often to $verb\ninterval $number\n", "port $number\nbind 127.0.0.1\n", "logfile /var/log/acme/$noun.log\n"],
        "cisco" => &["interface GigabitEthernet0/1\n description $noun\n ip address 10.0.0.1 255.255.255.0\n!\n", "hostname $noun\nip route 0.0.0.0 0.0.0.0 10.0.0.254\n!\n"],
        "csv" => &["$number,$noun,first,2026-03-01", "$number,$noun,second,2026-03-02"],
        "feature" => &["Feature: $noun\n\n  Scenario: $verb it\n    Given there is a $noun\n", "    Then I see $number of them\n"],
        "robot" => &["*** Settings ***\nLibrary    SeleniumLibrary\n", "*** Test Cases ***\n$Noun Can Be Opened\n    Open Browser    https://example.com/$noun\n    Page Should Contain    $Noun\n"],
        "batch" => &["@echo off\nsetlocal\n", "if not exist C:\\acme\\$noun mkdir C:\\acme\\$noun\n", "set LIMIT=$number\n"],
        "fish" | "csh" => &["cd /srv/$noun\n", "echo $noun $number\n", "ls -l build | wc -l\n"],
        "json5" => &["  // how often to $verb\n  interval: $number,\n", "  name: '$noun',\n"],
        "ldif" => &["dn: cn=$noun,ou=groups,dc=example,dc=com\nobjectClass: groupOfNames\ncn: $noun\n"],
        _ => return None,
    })
}

/// The sign that makes the rest of a line a remark.
pub(in crate::planted_secrets) fn comment_of(language: &str) -> Option<&'static str> {
    match language {
        "cloudformation" | "ansible" | "hiera" | "puppet" | "rscript" | "exs" | "pl" | "jl"
        | "nginx" | "graphql" | "prototext" | "nim" | "hocon" => Some("#"),
        "bicep" | "jenkinsfile" | "gradle" | "sbt" | "flutter" | "objc" | "fsharp" | "zig"
        | "json5" => Some("//"),
        "hs" | "luajit" | "plsql" | "ada" => Some("--"),
        "erl" | "matlab" | "prolog" => Some("%"),
        "clj" | "elisp" => Some(";;"),
        "vbnet" => Some("'"),
        _ => None,
    }
}

/// Whether a name can have letters other than those of English.
pub(in crate::planted_secrets) fn takes_any_letter(language: &str) -> bool {
    ![
        "ada", "cisco", "cobol", "conf", "delphi", "erl", "fortran", "graphql", "matlab", "nginx",
        "objc", "pl", "plsql", "prolog", "systemd", "tcl", "vim",
    ]
    .contains(&language)
}
